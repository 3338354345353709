// What each host prints of random runs, byte for byte: a pipe, a terminal, a log, and a screen of lines.
import { createHash } from 'node:crypto'
import { test } from 'vitest'
import { golden } from '../../../support/golden.ts'
import { hosts, playRun } from '../../../support/run-hosts.ts'

const shown = [1, 2, 3, 4]
const counted = 100

test.each(Object.keys(hosts))('%s', async (host) => {
  const texts: string[] = []
  for (const seed of shown) texts.push(`# run ${seed}\n${await playRun(host, seed)}`)
  const hash = createHash('sha256')
  for (let seed = 0; seed < counted; seed++) hash.update(await playRun(host, seed))
  golden(`run/${host}.txt`, `${texts.join('\n')}\n# ${counted} runs: ${hash.digest('hex')}\n`)
})
