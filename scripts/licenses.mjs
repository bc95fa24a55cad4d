const NOTICE =
  /Permission is hereby granted, free of charge[\s\S]*?DEALINGS\s+IN\s+(?:THE\s+)?SOFTWARE\./g;

const wordsOf = (notice) => notice.replaceAll(/\s+/g, " ").replaceAll(/['*]/g, '"').toLowerCase();

/**
 * The licences of all packages, with a permission notice of the same words once: thirty packages have the same one. Names and
 * copyright lines stay where they stand.
 */
export function withEachNoticeOnce(text) {
  const seen = new Map();
  return text.replaceAll(NOTICE, (notice) => {
    const words = wordsOf(notice);
    const number = seen.get(words);
    if (number !== undefined) return `Permission notice ${number}, above.`;
    seen.set(words, seen.size + 1);
    return `Permission notice ${seen.size}:\n\n${notice}`;
  });
}
