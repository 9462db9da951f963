import { everything } from "./scenario/everything.ts";

everything("desk");
