use crate::json::{Number, Raw, Str};
use crate::table::{names, record, union};

record! {
    /// Reads a file.
    ReadInput<'a> {
        essential { file_path: Str<'a> }
        "2.1.37" {
            /// The first line to read.
            optional offset: Number<'a>,
            /// How many lines.
            optional limit: Number<'a>,
            /// Pages of a PDF, such as `1-5`.
            optional pages: Str<'a>,
        }
        "2.1.325" {
            optional allow_large: bool,
        }
    }
}

union! {
    /// What was read.
    ReadResult<'a> by "type" {
        "text" => Text(ReadText<'a>) since "2.1.37",
        "image" => Image(ReadImage<'a>) since "2.1.37",
        "notebook" => Notebook(ReadNotebook<'a>) since "2.1.37",
        "pdf" => Pdf(ReadPdf<'a>) since "2.1.37",
        /// Pages of a long PDF, as images.
        "parts" => Parts(ReadParts<'a>) since "2.1.37",
    }
}

record! {
    /// Lines of a text file.
    ReadText<'a> {
        essential { file: Box<ReadTextFile<'a>> }
    }
}

record! {
    /// Lines of a text file.
    ReadTextFile<'a> {
        essential { file_path = "filePath": Str<'a> }
        "2.1.37" {
            always content: Str<'a>,
            always num_lines = "numLines": Number<'a>,
            always start_line = "startLine": Number<'a>,
            always total_lines = "totalLines": Number<'a>,
        }
        "2.1.325" {
            optional truncated_by_token_cap = "truncatedByTokenCap": bool,
        }
    }
}

record! {
    /// An image.
    ReadImage<'a> {
        essential { file: Box<ReadImageFile<'a>> }
    }
}

record! {
    /// An image.
    ReadImageFile<'a> {
        essential { base64: Str<'a> }
        "2.1.37" {
            /// The media type.
            always kind = "type": Str<'a>,
            /// In bytes.
            always original_size = "originalSize": Number<'a>,
            optional dimensions: Box<ImageDimensions<'a>>,
        }
    }
}

record! {
    /// How large an image is, and how large it was made for the model.
    ImageDimensions<'a> {
        "2.1.37" {
            optional original_width = "originalWidth": Number<'a>,
            optional original_height = "originalHeight": Number<'a>,
            optional display_width = "displayWidth": Number<'a>,
            optional display_height = "displayHeight": Number<'a>,
        }
    }
}

record! {
    /// The cells of a notebook.
    ReadNotebook<'a> {
        essential { file: Box<ReadNotebookFile<'a>> }
    }
}

record! {
    /// The cells of a notebook.
    ReadNotebookFile<'a> {
        essential { file_path = "filePath": Str<'a> }
        "2.1.37" {
            always cells: Vec<Raw<'a>>,
        }
    }
}

record! {
    /// A whole PDF.
    ReadPdf<'a> {
        essential { file: Box<ReadPdfFile<'a>> }
    }
}

record! {
    /// A whole PDF.
    ReadPdfFile<'a> {
        essential { file_path = "filePath": Str<'a> }
        "2.1.37" {
            always base64: Str<'a>,
            always original_size = "originalSize": Number<'a>,
        }
    }
}

record! {
    /// Pages of a PDF.
    ReadParts<'a> {
        essential { file: Box<ReadPartsFile<'a>> }
        "2.1.325" {
            optional first_page = "firstPage": Number<'a>,
            optional pages: Vec<PageImage<'a>>,
        }
    }
}

record! {
    /// A PDF that was taken apart into pages.
    ReadPartsFile<'a> {
        essential { file_path = "filePath": Str<'a> }
        "2.1.37" {
            always original_size = "originalSize": Number<'a>,
            always count: Number<'a>,
            /// Where the pages are.
            always output_dir = "outputDir": Str<'a>,
        }
    }
}

record! {
    /// A page as an image.
    PageImage<'a> {
        essential { base64: Str<'a> }
        "2.1.325" {
            always media_type = "mediaType": Str<'a>,
            optional error: Str<'a>,
        }
    }
}

record! {
    /// Writes a file.
    WriteInput<'a> {
        essential {
            file_path: Str<'a>,
            content: Str<'a>,
        }
    }
}

record! {
    /// A file was written.
    WriteResult<'a> {
        essential { file_path = "filePath": Str<'a> }
        "2.1.37" {
            always kind = "type": FileChange<'a>,
            always content: Str<'a>,
            /// Empty for a new file.
            always structured_patch = "structuredPatch": Vec<PatchHunk<'a>>,
            /// What the file held before; `null` for a new one.
            nullable original_file = "originalFile": Str<'a>,
        }
        "2.1.74" {
            optional git_diff = "gitDiff": Box<GitDiff<'a>>,
        }
        "2.1.325" {
            optional user_modified = "userModified": bool,
            optional staged: bool,
        }
    }
}

names! {
    /// Whether a file was there before.
    FileChange<'a> {
        "create" => Create,
        "update" => Update,
    }
}

record! {
    /// Replaces a piece of a file.
    EditInput<'a> {
        essential {
            file_path: Str<'a>,
            old_string: Str<'a>,
            new_string: Str<'a>,
        }
        "2.1.37" {
            /// Every occurrence, and not just the only one.
            optional replace_all: bool,
        }
    }
}

record! {
    /// A file was changed.
    EditResult<'a> {
        essential { file_path = "filePath": Str<'a> }
        "2.1.37" {
            always old_string = "oldString": Str<'a>,
            always new_string = "newString": Str<'a>,
            /// What the file held before.
            nullable original_file = "originalFile": Str<'a>,
            always structured_patch = "structuredPatch": Vec<PatchHunk<'a>>,
            /// The user changed the edit before letting it through.
            always user_modified = "userModified": bool,
            always replace_all = "replaceAll": bool,
        }
        "2.1.74" {
            optional git_diff = "gitDiff": Box<GitDiff<'a>>,
        }
        "2.1.325" {
            optional staged: bool,
            /// The file had changed since it was read, and the edit was made all the same.
            optional stale_recovered = "staleRecovered": bool,
            /// The model does not have all of the file's contents.
            optional content_not_in_model_context = "contentNotInModelContext": bool,
        }
    }
}

record! {
    /// A hunk of a patch. Lines begin with a space, `-` or `+`.
    PatchHunk<'a> {
        essential { lines: Vec<Str<'a>> }
        "2.1.37" {
            always old_start = "oldStart": Number<'a>,
            always old_lines = "oldLines": Number<'a>,
            always new_start = "newStart": Number<'a>,
            always new_lines = "newLines": Number<'a>,
        }
    }
}

record! {
    /// A change as git sees it.
    GitDiff<'a> {
        essential { filename: Str<'a> }
        "2.1.74" {
            /// `modified` or `added`.
            always status: Str<'a>,
            always additions: Number<'a>,
            always deletions: Number<'a>,
            always changes: Number<'a>,
            always patch: Str<'a>,
            optional repository: Str<'a>,
        }
    }
}
