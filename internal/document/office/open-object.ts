// Text of an object that is embedded in an OpenDocument file.

export interface OpenObject {
  kind: 'formula' | 'chart' | 'sheet'
  lines: readonly string[]
}
