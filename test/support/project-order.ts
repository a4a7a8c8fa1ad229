import { BaseSequencer, type TestSpecification } from 'vitest/node'

const projects = ['postgres', 'unit', 'web', 'e2e', 'browser']

/**
 * Runs the projects in this order, the fast ones first. A worker starts with the next one while
 * others finish the last.
 */
export class ProjectOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
