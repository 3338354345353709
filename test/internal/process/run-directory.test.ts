// Names under run/: what they say and what they do not match.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  hostIdentity,
  makeRunDirectory,
  noteChild,
  ownRunIdentity,
  parseChild,
  parseRunName,
  processStartTime,
  runName,
} from '../../../internal/process/run-directory.ts'
import { scratch } from './scratch.ts'

test('a name tells whose the directory is', () => {
  const place = ownRunIdentity()
  expect(parseRunName(runName(place))).toEqual(place)
  expect(place).toMatchObject({ pid: process.pid, host: hostIdentity() })
  expect(place.start).toBeGreaterThan(0)
})

test.each(['', 'x', '1.2.3', '1.2.host.short', 'a.2.host.01ARZ3NDEKTSV4RRFFQ69G5FAV', '.DS_Store'])(
  '%j is no such name',
  (name) => {
    expect(parseRunName(name)).toBeUndefined()
    expect(parseChild(name)).toBeUndefined()
  },
)

test('a child is noted as a file and forgotten with it', () => {
  const directory = makeRunDirectory(scratch(), ownRunIdentity())
  const forget = noteChild(directory, 12, 34)
  expect(readdirSync(directory).map(parseChild)).toEqual([{ pid: 12, start: 34 }])
  forget()
  expect(readdirSync(join(directory))).toEqual([])
})

test('the start of a process that is not there is not known', () => {
  expect(processStartTime(2 ** 30)).toBeUndefined()
})
