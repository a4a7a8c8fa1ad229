import { render, screen } from '@testing-library/react'
import { test } from 'vitest'
import { EditedAnswer } from './edited-answer.tsx'

test('a field with an empty title has its name as the heading', () => {
  const field = {
    steps: ['order', 'shipTo'],
    source: 'draft',
    value: 'Oslo',
    property: { title: '' },
    hints: {},
  }
  render(<EditedAnswer field={field} after="Bergen" />)
  screen.getByRole('heading', { name: 'Ship to' })
  screen.getByRole('region', { name: 'Edited: Ship to' })
})
