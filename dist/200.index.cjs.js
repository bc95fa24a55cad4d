"use strict";
exports.id = 200;
exports.ids = [200];
exports.modules = {

/***/ 4200:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runDemo: () => (/* binding */ runDemo)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8161);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6760);
/* harmony import */ var _emulator_server_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8091);
/* harmony import */ var _run_invocation_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7966);






const TIME_SCALE = 8;
const SPEC = "agent-deploy.yml";
const GATES = "correctness >= 0.8, correctness drop <= 0.05, latency_p95 <= 4s";
const say = (text) => {
    process.stdout.write(`${text}\n`);
};
async function runDemo(outer, signal) {
    const script = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(process.argv[1] ?? "");
    const folder = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdtemp)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)((0,node_os__WEBPACK_IMPORTED_MODULE_2__.tmpdir)(), "agent-deploy-demo-"));
    const emulator = await (0,_emulator_server_js__WEBPACK_IMPORTED_MODULE_4__/* .startEmulator */ .s)({ timeScale: TIME_SCALE });
    const env = {
        PATH: outer["PATH"],
        HOME: outer["HOME"],
        NO_COLOR: outer["NO_COLOR"],
        AGENT_DEPLOY_API_KEY: "demo-key",
        AGENT_DEPLOY_CONTROL_PLANE_URL: emulator.url,
        OPENAI_API_KEY: "sk-demo-not-a-real-key",
        SEARCH_DB_URL: "postgres://demo:not-a-real-password@db.example.com/search",
    };
    try {
        const examples = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(script), "..", "examples");
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.cp)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(examples, SPEC), (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, SPEC));
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.cp)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(examples, "evals"), (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, "evals"), { recursive: true });
        say(`An emulator of the service runs at ${emulator.url}; nothing leaves this machine. The spec is examples/${SPEC}, with two deployments.`);
        return await play({ folder, script, env, signal }, () => emulator.emulator.requests().filter((request) => request.method !== "GET").length);
    }
    finally {
        await emulator.close();
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rm)(folder, { recursive: true, force: true });
    }
}
async function play(stage, countWrites) {
    const steps = [
        ["What would happen? Nothing is written yet.", ["plan"]],
        ["Deploy both, and wait until they run.", ["apply"]],
    ];
    for (const [title, args] of steps)
        if (!(await type(stage, title, args)))
            return 1;
    const path = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(stage.folder, SPEC);
    const text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(path, "utf8");
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.writeFile)(path, text.replace("memory_mb: 1024", "memory_mb: 2048"));
    say("\n# One field of the spec changes: memory_mb 1024 → 2048");
    const before = countWrites();
    if (!(await type(stage, "Deploy again: one PATCH with what changed, one new revision, the other deployment is left alone.", ["apply"])))
        return 1;
    const middle = countWrites();
    if (!(await type(stage, "Run it once more: nothing to do.", ["apply"])))
        return 1;
    const last = countWrites();
    const args = [
        "upload",
        "evals/capitals.jsonl",
        "--baseline",
        "evals/capitals.baseline.json",
        "--gate",
        GATES,
    ];
    if (!(await type(stage, "Evaluation results: upload them as an experiment, and gate them against the last good run.", args)))
        return 1;
    say(`\nWrites the service got: ${before} for the first deploy, ${middle - before} for the change, ${last - middle} for the third run, ${countWrites() - last} for the experiment.`);
    say(`Next: write your own spec with ${(0,_run_invocation_js__WEBPACK_IMPORTED_MODULE_5__/* .calledAs */ .m)(process.cwd())} init, then see README.md for the workflow.`);
    return 0;
}
async function type({ folder, script, env, signal }, title, args) {
    say(`\n# ${title}\n$ agent-deploy ${args.map((word) => (/[ ,<>]/.test(word) ? `"${word}"` : word)).join(" ")}`);
    const child = (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.spawn)(process.execPath, [script, ...args], {
        cwd: folder,
        env,
        stdio: ["ignore", "inherit", "inherit"],
        signal,
    });
    const code = await new Promise((resolve) => {
        child.on("error", () => {
            resolve(130);
        });
        child.on("close", (status) => {
            resolve(status ?? 1);
        });
    });
    if (code !== 0)
        say(`(ended with exit code ${code})`);
    return code === 0;
}


/***/ }),

/***/ 7966:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ calledAs)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6760);

function calledAs(cwd) {
    const script = process.argv[1] ?? "";
    return (0,node_path__WEBPACK_IMPORTED_MODULE_0__.basename)(script) === "cli.js" ? `node ${(0,node_path__WEBPACK_IMPORTED_MODULE_0__.relative)(cwd, script)}` : "agent-deploy";
}


/***/ })

};
;