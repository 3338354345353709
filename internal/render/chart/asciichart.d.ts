// Types for the used part of asciichart, because the package has none.
declare module 'asciichart' {
  interface Config {
    height?: number
    offset?: number
    format?: (value: number, index: number) => string
    symbols?: readonly string[]
  }
  const asciichart: { plot(series: readonly number[], config?: Config): string }
  // biome-ignore lint/style/noDefaultExport: a CommonJS module is its default export
  export default asciichart
}
