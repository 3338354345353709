// Lua scripts by the digest of their text: a server that knows one is sent the digest only.
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
