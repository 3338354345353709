// The commands that change what is stored about MCP servers: their file, approvals and logins. They load
// together, so that a list of the servers loads none of them.
import { add } from './add.ts'
import { approve } from './approve.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { remove } from './remove.ts'
import { trust } from './trust.ts'

export const editingVerbs = { add, approve, login, logout, remove, trust }
