// Prose in .md files and scripts in .lua files are imported as strings, by the bundler and by tests alike.
declare module '*.md' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the bundler's text loader exports the text as default
  export default text
}
declare module '*.lua' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the bundler's text loader exports the text as default
  export default text
}
