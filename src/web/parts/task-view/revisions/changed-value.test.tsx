import { render, screen } from '@testing-library/react'
import { test } from 'vitest'
import { ChangedValue } from './changed-value.tsx'

test.each([
  ['words', 'abcd '.repeat(100), 77],
  ['characters of a script without spaces', '字'.repeat(200), 80],
])('unchanged text that is left out is counted in %s', (_, same, count) => {
  render(<ChangedValue before={`${same}old`} after={`${same}new`} />)
  screen.getByText(`… ${count} words unchanged …`)
})
