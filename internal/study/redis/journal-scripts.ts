// Lua scripts of the journal in Redis: for its log, its leases and its budget.

import account from './lua/journal/account.lua'
import append from './lua/journal/append.lua'
import claim from './lua/journal/claim.lua'
import create from './lua/journal/create.lua'
import enqueued from './lua/journal/enqueued.lua'
import beat from './lua/journal/heartbeat.lua'
import leases from './lua/journal/leases.lua'
import limit from './lua/journal/limit.lua'
import release from './lua/journal/release.lua'
import reserve from './lua/journal/reserve.lua'
import restore from './lua/journal/restore.lua'
import settle from './lua/journal/settle.lua'
import study from './lua/journal/study.lua'
import { makeLuaScript } from './lua-script.ts'

const makeScript = (body: string) => makeLuaScript(study, body)

export const journalScripts = {
  account: makeScript(account),
  append: makeScript(append),
  beat: makeScript(beat),
  claim: makeScript(claim),
  create: makeScript(create),
  enqueued: makeScript(enqueued),
  leases: makeScript(leases),
  limit: makeScript(limit),
  release: makeScript(release),
  reserve: makeScript(reserve),
  restore: makeScript(restore),
  settle: makeScript(settle),
}
