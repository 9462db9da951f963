// Whether list and page are side by side.

import { useEffect, useState } from "preact/hooks";

/** The width from which they do; the style has the same. */
const WIDE = "(width >= 56rem)";

/** Whether list and page are side by side. */
export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const change = (): void => setWide(media.matches);
    change();
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return wide;
}
