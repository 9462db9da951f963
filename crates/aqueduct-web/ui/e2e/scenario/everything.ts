// A day with the UI, at one size, against a real bridge.

import { describe } from "vitest";
import type { Size } from "../browser.ts";
import { World } from "../world.ts";
import { adversity } from "./adversity.ts";
import { composing } from "./composing.ts";
import { conversation } from "./conversation.ts";
import { decisions } from "./decisions.ts";
import { devices } from "./devices.ts";
import { keyboard } from "./keyboard.ts";
import { notifications } from "./notifications.ts";
import { pages } from "./pages.ts";
import { scopes } from "./scopes.ts";
import { trust } from "./trust.ts";

/** Every scenario at a size. */
export function everything(size: Size): void {
  const world = new World(size);
  describe("devices", () => devices(world));
  describe("a scope", () => scopes(world));
  describe("a conversation", () => conversation(world));
  describe("decisions", () => decisions(world));
  describe("the composer", () => composing(world));
  describe("pages", () => pages(world));
  describe("trust", () => trust(world));
  describe("notifications", () => notifications(world));
  describe("the keyboard", () => keyboard(world));
  describe("adversity", () => adversity(world));
}
