// Types for importing .md and .lua files, which the bundler and the tests load as strings.
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
