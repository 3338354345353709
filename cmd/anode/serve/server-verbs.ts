// The commands that start and stop the server. Both load the server, so they load together.
import { start } from './start.ts'
import { stop } from './stop.ts'

export const serverVerbs = { start, stop }
