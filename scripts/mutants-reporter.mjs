import * as fs from "node:fs";
import { dirname, join } from "node:path";

const folder = String(process.env.MUTANTS);

/** Prints who notices a mutant first, and removes what has been asked. */
export default class MutantReporter {
  #mutants = JSON.parse(fs.readFileSync(join(folder, "mutants.json"), "utf8"));

  /** Called by Jest at the end of each file. */
  onTestFileResult({ path }, { numFailingTests, testExecError, failureMessage }) {
    const id = Number(dirname(path).split("/").at(-1));
    const { words, asked } = this.#mutants[id];
    const noticed = join(folder, `noticed-${id}`);
    fs.rmSync(join(folder, `begun-${path.replaceAll("/", "%")}`), { force: true });
    fs.rmSync(path, { force: true });
    if (fs.existsSync(noticed)) return;
    if (numFailingTests > 0 || testExecError) {
      const by = `${asked[Number(/(\d+)\.test/.exec(path)?.[1])]}: ${/ +● (.+)/.exec(failureMessage ?? "")?.[1]}`;
      fs.writeFileSync(noticed, by);
      console.log(`${words}\n    noticed by ${by}`);
    }
  }
}
