// What the MCP servers of a session are shown with. Loaded with them.

export const t = {
  title: "MCP servers",
  none: "The agent has no MCP servers.",
  refresh: "Refresh",
  signIn: "Sign in",
  signOut: "Sign out",
  open: "Open the sign-in page",
  paste: "Address of the last page",
  pasteHint: "The last page does not load on this device. Copy its address from the address bar and paste it here.",
  finish: "Finish sign-in",
  here: "Signed in on the agent’s machine",
  states: {
    connected: "connected",
    failed: "failed",
    "needs-auth": "needs a sign-in",
    pending: "connecting",
    disabled: "switched off",
  } as Readonly<Record<string, string>>,
};
