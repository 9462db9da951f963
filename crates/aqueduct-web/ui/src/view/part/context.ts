// The app, for all components.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { App } from "../../store/app.ts";

/** Where components find the app. */
export const AppContext = createContext<App | undefined>(undefined);

/** The app. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("no app around this component");
  return app;
}
