import { describe, expect, test } from "@jest/globals";
import { readOne } from "./read-text.ts";

const NUNIT = `<?xml version="1.0"?><test-run id="0" testcasecount="4" result="Failed"><test-suite type="Assembly" name="a.dll"><test-suite type="TestFixture" name="F">
<test-case id="1" name="Adds" classname="N.F" result="Passed" duration="0.25"/>
<test-case id="2" name="Divides" classname="N.F" result="Failed"><failure><message><![CDATA[expected 1]]></message></failure></test-case>
<test-case id="3" name="Throws" classname="N.F" result="Failed" label="Error"><failure><message>boom</message></failure></test-case>
<test-case id="4" name="Later" classname="N.F" result="Skipped" label="Ignored"/>
</test-suite></test-suite></test-run>`;

const XUNIT = `<assemblies><assembly name="a.dll" total="3"><collection name="c">
<test name="N.F.Adds" type="N.F" method="Adds" time="0.25" result="Pass"/>
<test name="N.F.Divides" type="N.F" method="Divides" result="Fail"><failure exception-type="X"><message>expected 1</message></failure></test>
<test name="N.F.Later" type="N.F" method="Later" result="Skip"><reason>no</reason></test>
</collection></assembly></assemblies>`;

const TRX = `<?xml version="1.0" encoding="utf-8"?><TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
<Results><UnitTestResult testId="1" testName="Adds" outcome="Passed" duration="00:00:01.5000000"/>
<UnitTestResult testId="2" testName="Divides" outcome="Failed"><Output><ErrorInfo><Message>expected 1</Message></ErrorInfo></Output></UnitTestResult>
<UnitTestResult testId="3" testName="Hangs" outcome="Timeout"/>
<UnitTestResult testId="4" testName="Later" outcome="NotExecuted"/></Results>
<TestDefinitions><UnitTest id="1" name="Adds"><TestMethod className="N.F" name="Adds"/></UnitTest></TestDefinitions></TestRun>`;

describe("reports of .NET's test runners", () => {
  test.each([
    ["NUnit", NUNIT, { rows: 3, errors: 1, seconds: 0.25 }],
    ["xUnit.net", XUNIT, { rows: 2, errors: 0, seconds: 0.25 }],
    ["TRX", TRX, { rows: 3, errors: 1, seconds: 1.5 }],
  ])("%s is read as tests", async (_, text, { rows: count, errors, seconds }) => {
    const { experiment, rows } = await readOne(text, { name: "report.xml" });
    expect([experiment.rowCount, experiment.errorCount]).toEqual([count, errors]);
    expect(experiment.scores["pass"]).toEqual({ mean: 0.5, n: 2 });
    expect(experiment.warnings.join()).toContain("1 skipped test");
    const [first, second] = rows;
    expect(Date.parse(first!.end_time) - Date.parse(first!.start_time)).toBe(seconds * 1000);
    expect(first!.run_name).toContain("Adds");
    expect(second!.evaluation_scores).toEqual([{ key: "pass", score: 0, comment: "expected 1" }]);
  });
});
