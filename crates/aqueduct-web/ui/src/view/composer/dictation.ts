// Speech to text, where the browser has it.

import { useEffect, useRef, useState } from "preact/hooks";

interface Recognition {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: { resultIndex: number; results: ArrayLike<{ isFinal: boolean; 0: { transcript: string } }> }) => void) | null;
  onend: (() => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  start(): void;
  stop(): void;
}

function recogniser(): (new () => Recognition) | undefined {
  const view = window as unknown as { SpeechRecognition?: new () => Recognition; webkitSpeechRecognition?: new () => Recognition };
  return view.SpeechRecognition ?? view.webkitSpeechRecognition;
}

/** Whether dictation is on, and a switch for it; undefined where the browser can't. */
export function useDictation(onText: (text: string) => void, onFailure: () => void): { on: boolean; toggle(): void } | undefined {
  const [on, setOn] = useState(false);
  const current = useRef<Recognition>(undefined);
  const sink = useRef(onText);
  sink.current = onText;
  useEffect(() => () => current.current?.stop(), []);
  const Recogniser = recogniser();
  if (!Recogniser) return undefined;
  const toggle = (): void => {
    if (current.current) {
      current.current.stop();
      return;
    }
    const recognition = new Recogniser();
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.lang = navigator.language;
    recognition.onresult = (event) => {
      for (let at = event.resultIndex; at < event.results.length; at++) {
        const result = event.results[at];
        if (result?.isFinal) sink.current(result[0].transcript.trim());
      }
    };
    recognition.onerror = (event) => {
      // Silence and stopping are not errors.
      if (event.error !== "no-speech" && event.error !== "aborted") onFailure();
    };
    recognition.onend = () => {
      current.current = undefined;
      setOn(false);
    };
    current.current = recognition;
    recognition.start();
    setOn(true);
  };
  return { on, toggle };
}
