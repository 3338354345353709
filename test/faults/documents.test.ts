// Hostile documents, each read by the built program: rejected or truncated, within limits of time and memory,
// without a hang.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '../support/anode.ts'
import { hostileDocuments } from '../support/hostile-documents.ts'
import { full, sampleRows } from '../support/sample.ts'
import { scratch } from '../support/scratch.ts'

/** Where many programs run at once the same work takes more processor time. */
const maxSeconds = (loadavg()[0] ?? 0) > 2 * availableParallelism() ? 20 : 10
const maxMib = 300

interface Reading {
  code: number | null
  cpuSeconds: number
  peakMib: number
  out: string
}

/** Reads a document and measures processor time, so that other work on the machine does not count. */
function readWith(
  tool: string,
  { dir, home }: { dir: string; home: string },
  path: string,
): Promise<Reading> {
  const words = ['tools', 'use', tool, '--arg', `path=${path}`]
  const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data') }
  const child = spawn(process.execPath, [program, ...words], {
    cwd: dir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let peakMib = 0
  let cpuSeconds = 0
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakMib = Math.max(peakMib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
      const ticks = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      cpuSeconds = (Number(ticks[11]) + Number(ticks[12])) / 100
    } catch {
      // it has ended
    }
  }
  const timer = setInterval(look, 20)
  const hung = setTimeout(() => child.kill('SIGKILL'), 12 * maxSeconds * 1_000)
  return new Promise((resolve) => {
    let out = ''
    const take = (chunk: Buffer) => {
      out += chunk
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('close', (code) => {
      clearInterval(timer)
      clearTimeout(hung)
      resolve({ code, cpuSeconds, peakMib, out })
    })
  })
}

const only = process.env.ANODE_DOCUMENTS?.split(',')
const names = only ?? sampleRows(Object.keys(hostileDocuments), 20)

test(`${names.length} hostile documents end within ${maxSeconds} s and ${maxMib} MiB`, async () => {
  const [dir, home] = [scratch(), scratch()]
  const problems: string[] = []
  let slowest = 0
  let largest = 0
  let tries = 0
  for (const name of names) {
    writeFileSync(join(dir, name), hostileDocuments[name]?.() ?? '')
    const tools =
      full && /\.(?:pdf|docx|xlsx|pptx|epub)$/.test(name) ? ['read_document', 'look_at'] : ['read_document']
    for (const tool of tools) {
      const { code, cpuSeconds, peakMib, out } = await readWith(tool, { dir, home }, name)
      tries++
      slowest = Math.max(slowest, cpuSeconds)
      largest = Math.max(largest, peakMib)
      if (
        (code !== 0 && code !== 1) ||
        (!out.includes(name) && code === 1) ||
        out.trim() === '' ||
        cpuSeconds > maxSeconds ||
        peakMib > maxMib
      )
        problems.push(`${tool} ${name}: exit ${code}, ${cpuSeconds.toFixed(1)} s, ${peakMib.toFixed(0)} MiB`)
    }
  }
  if (full)
    process.stderr.write(
      `documents: ${tries - problems.length} of ${tries} survived, ${slowest.toFixed(1)} s of processor and ${largest.toFixed(0)} MiB at most\n`,
    )
  expect(problems).toEqual([])
}, 1_800_000)
