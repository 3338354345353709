// Timeline: marks, dates, descriptions.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const items = [
  { title: 'Start', date: 'Mon', status: 'completed', description: 'It began\non time' },
  { title: 'Now', status: 'current' },
  { title: 'Later', description: 'soon' },
]

test('draws the steps', () => {
  expect(draw('Timeline', { items })).toEqual([
    '● Start (Mon)',
    '│ It began',
    '│ on time',
    '◆ Now',
    '○ Later',
    '  soon',
  ])
})

test('draws only ASCII on a terminal without Unicode', () => {
  expect(draw('Timeline', { items }, { unicode: false })).toEqual([
    '[x] Start (Mon)',
    '|   It began',
    '|   on time',
    '[>] Now',
    '[ ] Later',
    '    soon',
  ])
})

test('draws plain output', () => {
  expect(draw('Timeline', { items }, { plain: true })).toEqual([
    'Start (completed, Mon): It began',
    'on time',
    'Now (current)',
    'Later (upcoming): soon',
  ])
})

test('draws a line for an empty timeline', () => {
  expect(draw('Timeline', { items: [] })).toEqual(['(no items)'])
  expect(draw('Timeline', { items: [] }, { plain: true })).toEqual(['(no items)'])
})
