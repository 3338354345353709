// The scripts of the journal, one for each of its operations.
import { script } from '../redis/script.ts'
import account from './lua/account.lua'
import append from './lua/append.lua'
import beat from './lua/beat.lua'
import claim from './lua/claim.lua'
import create from './lua/create.lua'
import enqueued from './lua/enqueued.lua'
import leases from './lua/leases.lua'
import limit from './lua/limit.lua'
import release from './lua/release.lua'
import reserve from './lua/reserve.lua'
import restore from './lua/restore.lua'
import settle from './lua/settle.lua'
import study from './lua/study.lua'

const made = (body: string) => script(study, body)

export const scripts = {
  account: made(account),
  append: made(append),
  beat: made(beat),
  claim: made(claim),
  create: made(create),
  enqueued: made(enqueued),
  leases: made(leases),
  limit: made(limit),
  release: made(release),
  reserve: made(reserve),
  restore: made(restore),
  settle: made(settle),
}
