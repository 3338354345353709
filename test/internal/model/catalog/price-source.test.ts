// The stored list of prices, as far as it is part of the catalog.
import { expect, test } from 'vitest'
import { convertPriceData } from '../../../../internal/model/catalog/price-source.ts'

test('reads prices by kind, steps for long requests, and the latest prices on that day', () => {
  const prices = (start_date: string, input_mtok: unknown) => ({
    constraint: { type: 'start_date', start_date },
    prices: {
      input_mtok,
      output_mtok: 10,
      cache_read_mtok: { base: 0.1, tiers: [{ start: 200, price: 0.2 }] },
    },
  })
  const model = {
    id: 'm',
    match: { equals: 'm' },
    context_window: 1000,
    prices: [prices('2026-03-01', 2), prices('2026-01-01', 1), prices('2027-01-01', 9)],
  }
  const night = {
    ...model,
    id: 'n',
    prices: [{ constraint: { type: 'time_of_date' }, prices: { input_mtok: 1, output_mtok: 2 } }],
  }
  const picture = { ...model, id: 'p', prices: { output_mtok: 3 } }
  const data = [{ id: 'openai', models: [model, night, picture, null, { id: 'x' }] }, 7]
  expect(convertPriceData(data, '2026-05-01').providers).toEqual({
    openai: [
      {
        id: 'm',
        match: { equals: 'm' },
        window: 1000,
        price: {
          input: 2,
          output: 10,
          cached: 0.1,
          above: { tokens: 200, input: 2, output: 10, cached: 0.2 },
        },
      },
      { id: 'n', match: { equals: 'm' }, window: 1000, price: { input: 1, output: 2 } },
    ],
  })
})
