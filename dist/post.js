import { doors } from "./main.js";
await (await doors.post()).run();
