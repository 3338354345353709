// Boxes as items: requested sizes, shares of a parent, and wrapped rows at the root.
import { expect, test } from 'vitest'
import { layOutBox } from '../../../../internal/render/component/box.ts'
import { containerItem, mustWrap } from '../../../../internal/render/layout/container.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { look } from '../draw.ts'

const pen = makePen(look)
const item = (props: Parameters<typeof layOutBox>[0], kids: Parameters<typeof containerItem>[1] = []) =>
  containerItem(layOutBox(props, pen), kids, pen, () => undefined)

test('the width of a box is in cells, a share, or its contents; margins are added', () => {
  expect(item({ width: 10, marginX: 1 }).wanted(80)).toBe(12)
  expect(item({ width: '25%' }).wanted(80)).toBe(20)
  expect(item({ width: '1%' }).wanted(20)).toBe(1)
  expect(item({ width: '0%', marginX: 1 }).wanted(20)).toBe(0)
  expect(item({}).wanted(80)).toBeUndefined()
  expect(item({ minWidth: '50%' }).least(80)).toBe(40)
})

test('the natural width includes the frame, gaps and the minimum width', () => {
  const kid = item({ width: 5 })
  expect(item({ borderStyle: 'single', paddingX: 1, gap: 2 }, [kid, kid]).natural()).toBe(16)
  expect(item({ minWidth: 30 }, [kid]).natural()).toBe(30)
})

test('ignores a share of an unknown height', () => {
  expect(item({ height: '50%' }).lay(10, undefined)).toMatchObject({ height: 0, fixed: false })
  expect(item({ height: '50%' }).lay(10, 8)).toMatchObject({ height: 4, fixed: true })
})

test('a row at the root wraps if its items do not fit', () => {
  const kid = (props: object) => item({ width: 30, ...props })
  const wraps = (props: object, ...kids: ReturnType<typeof item>[]) =>
    mustWrap(layOutBox(props, pen), kids, 50)
  expect(wraps({}, kid({}), kid({}))).toBe(true)
  expect(wraps({}, kid({}), kid({ width: 20 }))).toBe(false)
  expect(wraps({ gap: 1 }, kid({}), kid({ width: 20 }))).toBe(true)
  expect(wraps({}, kid({ width: 90 }))).toBe(false)
  expect(wraps({ flexDirection: 'column' }, kid({}), kid({}))).toBe(false)
  expect(wraps({ flexWrap: 'wrap' }, kid({}), kid({}))).toBe(false)
  expect(wraps({ gap: 1 }, kid({ width: '50%' }), kid({ width: '50%' }))).toBe(false)
})
