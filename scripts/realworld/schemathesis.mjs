// Schemathesis, which makes requests from an OpenAPI document, against every route of the emulator.
import { startEmulator } from "./emulator-client.mjs";
import { pythonPrograms, run, temporaryFolder } from "./toolbox.mjs";

const VERSION = "4.32.5";
/** What a stand-in must hold to; that a valid body is taken is up to the service's rules, which no schema says. */
const CHECKS =
  "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

/** What npm run realworld runs. */
export const parties = [
  {
    name: "schemathesis",
    version: VERSION,
    run: async ({ check, quick }) => {
      const bin = await pythonPrograms(
        "schemathesis",
        [`schemathesis==${VERSION}`],
        "schemathesis",
      );
      for (const profile of quick ? ["hosted"] : ["document", "hosted"]) {
        const emulator = await startEmulator({ profile, limits: "off" });
        try {
          const args = ["run", `${emulator.url}/openapi.json`, "--checks", CHECKS];
          const phases = quick ? "fuzzing" : "examples,coverage,fuzzing";
          const limits = ["-n", quick ? "8" : "40", "--phases", phases, "--workers", "1"];
          const rest = ["--header", "X-Api-Key: k", "--seed", "1", "--no-color"];
          const done = await run(`${bin}/schemathesis`, [...args, ...limits, ...rest], {
            timeoutMs: 1_800_000,
            // It keeps what it found in the folder it runs in.
            cwd: temporaryFolder(),
          });
          check(`${profile}: no 500, no reply outside the document`, done.code === 0, done.stdout);
        } finally {
          await emulator.stop();
        }
      }
      return `requests made from /openapi.json over all routes, ${quick ? "a few, profile hosted" : "both profiles"}`;
    },
  },
];
