//! The web UI as files that are part of the program.
//!
//! Owns: the files, and their HTTP headers. Does not own: HTTP, and the UI's sources, which are
//! in `ui/`; `cargo xtask web` builds them into `dist/`. Building this crate needs no Node.
//!
//! `cargo xtask web` builds `dist/` and `src/table.rs` from `ui/`, runs the UI's tests, and runs Chromium against a real
//! bridge; `--check` compares instead of writing, `--budget` measures time and memory, `--pictures` makes the images of
//! `docs/web`.
//!
//! | in `ui/` | contents |
//! |---|---|
//! | `src/main.tsx` | the entry point |
//! | `src/bridge/` | pairing of this browser and its notifications. The connection, the outbox and the types of all messages are those of `packages/npm`, imported as `aqueduct-client` |
//! | `src/conversation/` | the reducer: `stored.ts`, `fold.ts` (stored messages), `live.ts` (streamed ones), `reduce.ts` (both), `rows.ts` (what is shown) |
//! | `src/store/` | all other state, in small stores; `app.ts` combines them |
//! | `src/text/` | Markdown in blocks, terminal colors, diffs, hidden characters; strings in, values out |
//! | `src/view/` | components, one noun a file: `shell/` the frame, `log/` the conversation, `tool/` a card for each tool, `decision/` permissions and questions, `composer/`, `page/`, `part/` |
//! | `src/device/`, `src/worker/` | notifications and other features of browsers; the service worker |
//! | `src/strings.ts` | all texts |
//! | `test/` | tests without a browser |
//! | `e2e/` | tests in Chromium: `scenario/` at both sizes, `access` with axe, `hostile` with malicious content, `weight` counts bytes; `world.ts` is what they share, `bridge.ts` a real bridge, `push-service.ts` a push service |
//!
//! # Invariants
//!
//! - **The state depends on the messages, not on how they arrived.** History, partial and live messages in any split give
//!   the same state; a property test checks it.
//! - **What the user decides about is shown in full.** Hidden characters in a command, path or input are shown by name. The
//!   decision carries the hash of what was shown.
//! - **Text becomes elements in one place**, `text/sanitize.ts`. HTML in Markdown is text. [`CONTENT_SECURITY_POLICY`] allows
//!   no inline script or style, no other origin, and no string as a script.
//! - **Nothing is sent twice and nothing is lost.** An input is in the outbox until the bridge has stored it; requests that
//!   must not be repeated are not.
//! - **Rendering costs what is visible.** Messages are applied once a frame, rows are drawn when they change, and a growing
//!   answer is parsed again from its last block on.
//! - **The first load is under 100 KB compressed**; the build fails beyond that. The list of sessions loads before the code
//!   of the conversation.
//! - **No browser test sleeps or measures time.** A turn waits at a gate that the test opens.

mod asset;
mod table;

pub use asset::{Asset, asset, assets};

/// What the page may do: run its own scripts and styles, connect to its own origin, and nothing else. The
/// server that serves the files sends it as `Content-Security-Policy`.
///
/// `data:` and `blob:` are images alone. No markup or text can become a script: the only way from text to
/// elements is a sanitizer of its own name.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types dompurify aqueduct";

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
