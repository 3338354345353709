// The commands that change the file of MCP servers. Both load what edits JSON with comments, so
// they load together.
import { add } from './add.ts'
import { remove } from './remove.ts'

export const editingVerbs = { add, remove }
