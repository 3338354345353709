// Unpacking each text must give the same bytes.
import { readdirSync, readFileSync } from 'node:fs'
import { pack, unpack } from '../pack.mjs'

const settings = JSON.parse(readFileSync('settings.json', 'utf8'))
for (const name of readdirSync('corpus')) {
  const text = readFileSync(`corpus/${name}`)
  const back = unpack(pack(text, settings))
  if (back.equals(text)) continue
  console.log(`corpus/${name}: ${text.length} bytes went in, ${back.length} came out`)
  process.exit(1)
}
