// Timeline: marks, dates, descriptions.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const items = [
  { title: 'Start', date: 'Mon', status: 'completed', description: 'It began\non time' },
  { title: 'Now', status: 'current' },
  { title: 'Later', description: 'soon' },
]

test('the steps', () => {
  expect(draw('Timeline', { items })).toEqual([
    '● Start (Mon)',
    '│ It began',
    '│ on time',
    '◆ Now',
    '○ Later',
    '  soon',
  ])
})

test('ASCII', () => {
  expect(draw('Timeline', { items }, { unicode: false })).toEqual([
    '[x] Start (Mon)',
    '|   It began',
    '|   on time',
    '[>] Now',
    '[ ] Later',
    '    soon',
  ])
})

test('plain', () => {
  expect(draw('Timeline', { items }, { plain: true })).toEqual([
    'Start (completed, Mon): It began',
    'on time',
    'Now (current)',
    'Later (upcoming): soon',
  ])
})

test('none', () => {
  expect(draw('Timeline', { items: [] })).toEqual(['(no items)'])
  expect(draw('Timeline', { items: [] }, { plain: true })).toEqual(['(no items)'])
})
