/** Runs once before the tests: starts the cluster, and passes its address to the workers. */
import type { TestProject } from 'vitest/node'
import { type ClusterAddress, startCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: ClusterAddress
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const { address, stop } = await startCluster()
  project.provide('cluster', address)
  return stop
}
