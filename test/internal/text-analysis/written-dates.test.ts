// Dates in text, in the forms that papers use.
import { expect, it } from 'vitest'
import { listDates } from '../../../internal/text-analysis/written-dates.ts'

it.each([
  ['on 2021-03-04 and 2022', ['2021-03-04', '2022']],
  ['4 March 2021', ['2021-03-04']],
  ['the 1st of May, 2019', ['2019-05-01']],
  ['March 4th, 2021 to Sept. 12, 2021', ['2021-03-04', '2021-09-12']],
  ['from January 2018', ['2018-01']],
  ['17.5.2019', ['2019-05-17']],
  ['2018-04', ['2018-04']],
  ['31.13.2019', []],
  ['12,019 people, 3.2019 m, section 20191', []],
  ['may be 40 of 50', []],
  ['no date', []],
])('reads %j', (text, dates) => {
  expect(listDates(text).map(({ iso }) => iso)).toEqual(dates)
})
