CREATE TABLE "file_facts" (
	"content" text COLLATE "C" NOT NULL,
	"reading" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"facts" "bytea" NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "file_facts_content_reading_pk" PRIMARY KEY("content","reading")
);
--> statement-breakpoint
CREATE TABLE "tensor_comparisons" (
	"pair" text COLLATE "C" PRIMARY KEY NOT NULL,
	"result" "bytea" NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "file_facts_touched" ON "file_facts" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "tensor_comparisons_touched" ON "tensor_comparisons" USING btree ("touched_at");