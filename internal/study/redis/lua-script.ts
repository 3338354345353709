// A Lua script with the SHA-1 digest of its text, by which Redis runs a script that it already knows.
import { createHash } from 'node:crypto'
import prelude from './lua/prelude.lua'

export interface LuaScript {
  lua: string
  sha: string
}

/** Makes a script of its parts, after the beginning that all scripts share. */
export function makeLuaScript(...parts: readonly string[]): LuaScript {
  const lua = [prelude, ...parts].join('\n')
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}
