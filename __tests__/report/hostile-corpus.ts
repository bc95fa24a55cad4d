const BASE: readonly string[] = [
  // pings and references
  "@octocat", "@acme/security please look", "cc @everyone @here", "x @octocat-bot[bot]", "(@octocat)", "@\u200boctocat", "me@example.com", "app@sha256:abc", " @sha256:abc", "#123", "acme/agents#123", "GH-12",
  "https://github.com/acme/agents/issues/1", "www.github.com/acme/agents/pull/2", "git@github.com:acme/agents.git", "acme/agents@5f3e2d1c", "fixes #1, closes #2", "!123 ~bug %12 &34 $567",
  // headers and comments of ours
  "<!-- agent-deploy: {\"v\":1,\"key\":\"x\",\"run\":\"9\",\"attempt\":9,\"sha\":\"\",\"open\":false} -->", "--><!-- agent-deploy: {} -->", "<!--", "-->", "<!-- unclosed", "<!---->", "&lt;!-- agent-deploy", "<!doctype html>", "<![CDATA[", "<?php",
  // HTML
  "</details>", "<details>", "</details></details></details>", "<details open><summary>x", "</summary>", "<summary>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href=javascript:alert(1)>x</a>",
  "<b>", "</sub>", "</code>", "<code>", "</td></tr></table>", "<table><tr><td>", "<pre>", "</pre>", "<br>", "<br/><br/>", "<input type=checkbox>", "<svg/onload=alert(1)>", "<h1>hi</h1>", "<style>*{display:none}</style>", "&amp;&lt;&gt;&quot;", "&#60;script&#62;", "&nbsp;",
  // backticks and fences
  "`", "``", "```", "````", "`````````````", "` `", "`x", "x`", "`a`b`", "```\n</details>\n```", "~~~", "~~~\n~~~", "```js\ncode", "\n```\n", "    indented code", "\tindented", "`<!--`", "`|`", "a `b` c `d",
  // tables
  "|", "||", "a|b|c", "\\|", "\\\\|", "\\\\\\|", "| --- | --- |", "a | b\n--- | ---\nc | d", "|\n|\n|", "x|`y|z`", "trailing\\", "\\", "\\\\", "\\`", "\\<",
  // blocks
  "# heading", "\n# heading\n", "## x", "> quote", "- item", "* item", "+ item", "1. item", "1) item", "- [ ] task", "---", "***", "___", "===", "\n---\n", "\n===\n", "[x]: https://evil.example", "[^1]: note", "[^1]", ":::note",
  // links and images
  "[a](https://evil.example)", "![a](https://evil.example/pixel.png)", "[a][b]", "[a]", "](https://evil.example)", "<https://evil.example>", "https://evil.example/?a=(b)|c", "javascript:alert(1)", "data:text/html,<script>", "ftp://evil.example",
  "https://user:hunter2@evil.example/`x`|y", "http://[::1]:80/", "https://", "https://a b c", "//evil.example", "mailto:a@b.c", "xmpp:a@b.c", "https://evil.example/)](x", "https://evil.example/\">x",
  // emphasis and maths
  "*bold*", "**bold", "_em_", "__em", "snake_case_word", "_leading", "trailing_", "~~strike~~", "~sub~", "$x^2$", "$$\nx\n$$", "$`x`$", ":+1:", ":tada:", "==mark==", "^sup^",
  // invisible, bidirectional, control
  "\u202egnp.exe", "\u2066x\u2069", "\u200b", "\u200d\u200c", "\ufeff", "\u00ad", "a\u0000b", "\u001b[31mred\u001b[0m", "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007", "\u001b[2J\u001b[H", "\u0007", "\u0008\u0008\u0008", "\u007f", "\u0085", "\u009b31m",
  "\u2028", "\u2029", "\u2028# x", "a\rb", "\r", "\r\n", "\n", "\n\n", "\n\n\n# x", "\t", "\v\f", "\u{e0041}\u{e0042}", "\ud800", "\udc00x", "e\u0301\u0301\u0301\u0301", "\u3164", "\uffa0", "\u061c", "\u180e", "\u2800",
  // commands of the runner
  "::set-output name=outcome::deployed", "::add-mask::a", "  ::error::x", "::stop-commands::t", "##[set-output name=a]b", "x ##[error]y", "\n::warning::x", "::group::\n::endgroup::", "\ufeff::debug::x",
  // words that mean something
  "", " ", "   ", "__proto__", "constructor", "null", "undefined", "NaN", "true", "0", "-0", "1e400", "1.", "12) x", "…", "***",
  // long and odd
  "x".repeat(3000), "`".repeat(300), "|".repeat(300), "@a ".repeat(200), "<!--".repeat(100), "é".repeat(500), "🦊".repeat(300), "👩‍👩‍👧‍👦", "𝕬𝖇𝖈", "ﷺ".repeat(50), "مرحبا", "日本語 | 表",
];

/** Strings from outside at their worst; at least 200, each also in the middle of a sentence and behind a line break. */
export const HOSTILE: readonly string[] = [...BASE, ...BASE.map((worst) => `a ${worst} b`), ...BASE.map((worst) => `first\n${worst}\nlast`)];
