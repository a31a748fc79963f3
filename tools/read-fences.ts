/** The code blocks of a Markdown text in one language. */
export const readFences = (markdown: string, language: string): readonly string[] =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code.trimEnd());
