import { doors } from "./main.js";
await (await doors.action()).run();
