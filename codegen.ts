/** Typed documents for the SDK, the CLI and the console, from the published schema and its operations. */
import type { CodegenConfig } from '@graphql-codegen/cli';
import { preset } from '@graphql-codegen/client-preset';

type Files = Awaited<ReturnType<typeof preset.buildGeneratesSection>>;
type Plugins = Files[number]['pluginMap'];

const DOCUMENTS = 'typed-document-node';
/** What the file takes from a package otherwise, which everybody who uses the client would have to install. */
const DECORATION = 'interface DocumentTypeDecoration<TResult, TVariables> { readonly __apiType?: (variables: TVariables) => TResult }';

/** The plugins, with the one type that they import written out. */
function withoutPackages(plugins: Plugins): Plugins {
  const documents = plugins[DOCUMENTS];
  if (documents === undefined) throw new Error(`the preset has no ${DOCUMENTS} any more`);
  const plugin: typeof documents.plugin = async (...given) => {
    const made = await documents.plugin(...given);
    return typeof made === 'string' ? made : { ...made, prepend: [DECORATION] };
  };
  return { ...plugins, [DOCUMENTS]: { ...documents, plugin } };
}

/** Types and documents only: nobody looks a document up by its text. */
const typesAndDocuments: typeof preset = {
  ...preset,
  async buildGeneratesSection(options) {
    const files = await preset.buildGeneratesSection(options);
    return files.filter(({ filename }) => filename.endsWith('/graphql.ts')).map((file) => ({ ...file, pluginMap: withoutPackages(file.pluginMap) }));
  },
};

const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: ['schema/operations/**/*.graphql'],
  importExtension: '.ts',
  generates: {
    'src/client/generated/': {
      preset: typesAndDocuments,
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
