// Names under run/: what they say and what they do not match.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  hostHere,
  makePlace,
  nameOf,
  noteChild,
  parseChild,
  parsePlace,
  placeHere,
  startOf,
} from '../../../internal/process/place.ts'
import { scratch } from './scratch.ts'

test('a name tells whose the directory is', () => {
  const place = placeHere()
  expect(parsePlace(nameOf(place))).toEqual(place)
  expect(place).toMatchObject({ pid: process.pid, host: hostHere() })
  expect(place.start).toBeGreaterThan(0)
})

test.each(['', 'x', '1.2.3', '1.2.host.short', 'a.2.host.01ARZ3NDEKTSV4RRFFQ69G5FAV', '.DS_Store'])(
  '%j is no such name',
  (name) => {
    expect(parsePlace(name)).toBeUndefined()
    expect(parseChild(name)).toBeUndefined()
  },
)

test('a child is noted as a file and forgotten with it', () => {
  const directory = makePlace(scratch(), placeHere())
  const forget = noteChild(directory, 12, 34)
  expect(readdirSync(directory).map(parseChild)).toEqual([{ pid: 12, start: 34 }])
  forget()
  expect(readdirSync(join(directory))).toEqual([])
})

test('the start of a process that is not there is not known', () => {
  expect(startOf(2 ** 30)).toBeUndefined()
})
