// What is read of an object within an OpenDocument file.

export interface OpenObject {
  kind: 'formula' | 'chart' | 'sheet'
  lines: readonly string[]
}
