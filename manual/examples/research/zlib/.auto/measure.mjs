// One execution: bytes of the packed corpus, and the processor time of packing it.
import { readdirSync, readFileSync } from 'node:fs'
import { pack } from '../pack.mjs'

const settings = JSON.parse(readFileSync('settings.json', 'utf8'))
const texts = readdirSync('corpus').map((name) => readFileSync(`corpus/${name}`))
const packAll = () => texts.reduce((sum, text) => sum + pack(text, settings).length, 0)

const bytes = packAll()
// the first round includes loading; of the next rounds the fastest is disturbed least
let least = Number.POSITIVE_INFINITY
for (let round = 0; round < 2; round++) {
  const before = process.cpuUsage()
  packAll()
  const { user, system } = process.cpuUsage(before)
  least = Math.min(least, user + system)
}
console.log(`METRIC bytes=${bytes}`)
console.log(`METRIC cpu_us=${Math.max(1, least)}`)
