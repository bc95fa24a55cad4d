import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root, with a slash at its end. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Compiles src/ into build/ (ignored by git), where plain Node 20 can import it. */
export function compile() {
  rmSync(join(root, "build"), { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json")],
    { stdio: "inherit", cwd: root },
  );
  writeFileSync(join(root, "build/package.json"), '{ "type": "module" }\n');
}
