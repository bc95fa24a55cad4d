// A played run loads modules as it goes, which Jest refuses to tests that run at once: here they run one by one.
Object.assign(globalThis.test, { concurrent: globalThis.test });
