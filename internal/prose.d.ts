// Prose in .md files is imported as a string, by the bundler and by the tests alike.
declare module '*.md' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the bundler's text loader exports the text as default
  export default text
}
