import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { GivenAdvice } from '../../../../contract/feedback-analysis.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { EarlierAdvice } from './earlier-advice.tsx'

test.each([
  [{ result: 'not-tried' }, 'no later version'],
  [{ result: 'too-few-answers' }, 'tasks without a version'],
  [{ result: 'too-few-answers', nextVersion: '1.1' }, '1.1'],
] as const)('advice with %j was followed by: %s', (given, text) => {
  const advice = { givenAt: '2026-11-15T09:00:00.000Z', title: 'Ask for photos', predicted: -4, ...given }
  render(
    <WorkspaceContext value={{} as never}>
      <EarlierAdvice advice={[advice as unknown as GivenAdvice]} />
    </WorkspaceContext>,
  )
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toContain(text)
})
