// Lua scripts with the digest of their text. A server that knows a script only gets the digest.
import { createHash } from 'node:crypto'
import prelude from './lua/prelude.lua'

export interface LuaScript {
  lua: string
  sha: string
}

/** Joins the common beginning with the parts of one script. */
export function makeLuaScript(...parts: readonly string[]): LuaScript {
  const lua = [prelude, ...parts].join('\n')
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}
