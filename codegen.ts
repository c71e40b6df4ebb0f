/** Typed documents for the SDK, the CLI and the console, from the published schema and its operations. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: ['schema/operations/**/*.graphql'],
  importExtension: '.ts',
  generates: {
    'src/client/generated/': {
      preset: 'client',
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        scalars: {
          DateTime: 'string',
          EventCursor: 'string',
          JSON: 'unknown',
          JSONObject: 'Record<string, unknown>',
        },
        documentMode: 'string',
      },
      presetConfig: { fragmentMasking: false },
    },
  },
};

export default config;
