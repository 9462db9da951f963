import { everything } from "./scenario/everything.ts";

everything("desktop");
